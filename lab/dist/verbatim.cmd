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
move /y "%BUILT%.next" "%BUILT%" >nul
rem A directory whose files a JVM has open cannot be renamed.
for /d %%D in ("%LAUNCHED%\*") do if not "%%~nxD"=="%BUILD%" ren "%%D" "%%~nxD.gone" 2>nul && rmdir /s /q "%%D.gone"

:run
rem Commands that compute in a few threads, and end. Not in a block, which a parenthesis in an argument would end, whatever the first
rem argument is.
set "QUICK="
if "%~1"=="litmus" call :compute --seconds 60 %*
if "%~1"=="explore" call :compute --programs 20000 %*
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

rem Sets QUICK: one thread of garbage collection, and no second compiler if the value of the option is at most so much, or is not given,
rem as the command is over before that has paid. To cmd --programs=5 is two arguments, unless it is quoted.
:compute
set "QUICK=-XX:+UseSerialGC"
set "OPTION=%~1"
set "MOST=%~2"
set "GIVEN=0"
:next_word
if [%3]==[] goto words_are_read
for /f "tokens=1* delims==" %%A in ("%~3") do if "%%A"=="%OPTION%" set "GIVEN=%%B"
if "%~3"=="%OPTION%" set "GIVEN=%~4"
shift /3
goto next_word
:words_are_read
if not defined GIVEN exit /b
rem Something else than digits, or more of them than fit into a number of cmd?
for /f "delims=0123456789" %%D in ("%GIVEN%") do exit /b
if not "%GIVEN:~9%"=="" exit /b
if %GIVEN% LEQ %MOST% set "QUICK=%QUICK% -XX:TieredStopAtLevel=1"
exit /b
