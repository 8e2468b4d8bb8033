@echo off
rem Copyright 2026 The Verbatim Authors
rem SPDX-License-Identifier: Apache-2.0
rem
rem Runs the command line of Verbatim out of this source tree, and builds it first where that is needed.
rem Needs a JDK, 17 or newer: the one of JAVA_HOME, else the one on the PATH.
setlocal
for %%D in ("%~dp0..\..") do set "ROOT=%%~fD\"
set "TARGET=%ROOT%cli\target"
set "LAUNCHED=%TARGET%\launcher"
set "BUILT=%TARGET%\launcher.built"
set "LOG=%TARGET%\launcher.log"
set "JAVA=java.exe"
if defined JAVA_HOME set "JAVA=%JAVA_HOME%\bin\java.exe"

rem Each build is a directory of its own, which does not change any more; launcher.built names the newest.
set "BUILD="
if exist "%BUILT%" set /p BUILD=<"%BUILT%"
if not defined BUILD goto build
if not exist "%LAUNCHED%\%BUILD%" goto build

rem Anything under src\main, or a pom, newer than the last build?
powershell -NoProfile -Command "$built = (Get-Item $env:BUILT).LastWriteTime; $newer = Get-ChildItem -Recurse -File ($env:ROOT + 'pom.xml'), ($env:ROOT + '*\pom.xml'), ($env:ROOT + '*\*\pom.xml'), ($env:ROOT + '*\src\main'), ($env:ROOT + '*\*\src\main') | Where-Object LastWriteTime -gt $built | Select-Object -First 1; if ($newer) { exit 1 }"
if not errorlevel 1 goto run

:build
rem The option is known from Java 17 on, so this asks for a Java and for its age at once.
"%JAVA%" --enable-native-access=ALL-UNNAMED -version >nul 2>&1
if errorlevel 1 goto no_java
echo verbatim: building, about a minute on first use: fetching Maven and libraries, then compiling 1>&2
rem Beside what is there: other JVMs may run from that.
set "BUILD=%RANDOM%%RANDOM%"
mkdir "%LAUNCHED%\%BUILD%"
(echo %BUILD%)> "%BUILT%.next"
pushd "%ROOT%"
call mvnw.cmd -B -DskipTests "-P!jdk25" -Dmaven.compiler.failOnWarning=false "-Dlauncher.lib=%LAUNCHED%\%BUILD%" package > "%LOG%" 2>&1
set "RESULT=%ERRORLEVEL%"
popd
if not "%RESULT%"=="0" goto build_failed
"%JAVA%" -cp "%LAUNCHED%\%BUILD%\*" dev.verbatim.cli.JvmOptions > "%LAUNCHED%\%BUILD%\commands"
move /y "%BUILT%.next" "%BUILT%" >nul
rem A directory whose files a JVM has open cannot be renamed.
for /d %%D in ("%LAUNCHED%\*") do if not "%%~nxD"=="%BUILD%" ren "%%D" "%%~nxD.gone" 2>nul && rmdir /s /q "%%D.gone"

:run
rem What of the JVM's options the command needs, which the build has written into a file (JvmOptions.java). Not in a block, which a
rem parenthesis in an argument would end, whatever the first argument is.
set "QUICK="
set "OPTION="
pushd "%LAUNCHED%\%BUILD%"
for /f "tokens=1-4*" %%A in (commands) do if "%%A"=="%~1" set "OPTION=%%B"& set "MOST=%%C"& set "SHORT=%%D"& set "QUICK=%%E"
popd
if defined OPTION call :compute %*
rem With these Netty gives NIO a set of ready sockets that makes no objects, and loads its native parts without a warning.
"%JAVA%" %QUICK% --enable-native-access=ALL-UNNAMED --add-opens=java.base/sun.nio.ch=ALL-UNNAMED -Dio.netty.tryReflectionSetAccessible=true "-Dverbatim.home=%ROOT%." -Dverbatim.command=verbatim "-Dverbatim.columns=%COLUMNS%" -cp "%LAUNCHED%\%BUILD%\*" dev.verbatim.cli.Main %*
exit /b %ERRORLEVEL%

:no_java
echo verbatim: %JAVA% is missing or older than 17: install a JDK 17 or newer and set JAVA_HOME to it 1>&2
exit /b 1

:build_failed
findstr /b /c:"[ERROR]" "%LOG%" 1>&2
echo verbatim: the build failed; see %LOG% 1>&2
exit /b 1

rem Adds SHORT to QUICK if the value of the option is at most so much, or is not given. To cmd --programs=5 is two arguments, unless it is
rem quoted.
:compute
set "GIVEN=0"
if "%OPTION%"=="-" goto words_are_read
:next_word
if [%1]==[] goto words_are_read
for /f "tokens=1* delims==" %%A in ("%~1") do if "%%A"=="%OPTION%" set "GIVEN=%%B"
if "%~1"=="%OPTION%" set "GIVEN=%~2"
shift /1
goto next_word
:words_are_read
if not defined GIVEN exit /b
rem Something else than digits, or more of them than fit into a number of cmd?
for /f "delims=0123456789" %%D in ("%GIVEN%") do exit /b
if not "%GIVEN:~9%"=="" exit /b
if %GIVEN% LEQ %MOST% set "QUICK=%QUICK% %SHORT%"
exit /b
