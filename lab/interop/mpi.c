// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
//
// The first process sends messages to the second, which checks them, and both add their numbers.
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { SIZE = 1 << 16, COUNT = 20 };

int main(int count, char **words) {
    static char message[SIZE];
    int rank, size, own, sum;
    MPI_Init(&count, &words);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < COUNT && rank < 2; i++) {
        if (rank == 0) {
            memset(message, i, SIZE);
            MPI_Send(message, SIZE, MPI_CHAR, 1, i, MPI_COMM_WORLD);
        } else {
            MPI_Recv(message, SIZE, MPI_CHAR, 0, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            if (message[0] != i || message[SIZE - 1] != i) {
                MPI_Abort(MPI_COMM_WORLD, 1);
            }
        }
    }
    own = rank + 1;
    MPI_Allreduce(&own, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    printf("rank %d of %d: sum %d\n", rank, size, sum);
    MPI_Finalize();
    return 0;
}
