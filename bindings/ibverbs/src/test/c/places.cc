// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
//
// Mistakes in C++, each in a function whose call passes through headers and libraries of the language.
#include <functional>
#include <infiniband/verbs.h>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

static ibv_pd *pd;

template <typename T> struct Registered {
    T bytes;
    ibv_mr *mr;
    explicit Registered(size_t size) : bytes(size), mr(ibv_reg_mr(pd, &bytes[0], size, IBV_ACCESS_LOCAL_WRITE)) {}
};

static void grow() {
    std::vector<char> bytes(1 << 16);
    ibv_mr *mr = ibv_reg_mr(pd, bytes.data(), bytes.size(), IBV_ACCESS_LOCAL_WRITE);
    bytes.resize(1 << 20); // GROW
    ibv_dereg_mr(mr);
}

static void leave_template() {
    ibv_mr *mr;
    {
        Registered<std::vector<char>> registered(1 << 15);
        mr = registered.mr;
    } // LEAVE
    ibv_dereg_mr(mr);
}

static void erase() {
    std::map<int, std::unique_ptr<std::vector<std::mutex>>> all;
    all[1] = std::make_unique<std::vector<std::mutex>>(2000);
    ibv_mr *mr = ibv_reg_mr(pd, all[1]->data(), 4096, IBV_ACCESS_LOCAL_WRITE);
    all.erase(1); // ERASE
    ibv_dereg_mr(mr);
}

static void lambda() {
    auto bytes = std::make_shared<std::vector<char>>(1 << 15);
    ibv_mr *mr = ibv_reg_mr(pd, bytes->data(), bytes->size(), IBV_ACCESS_LOCAL_WRITE);
    std::function<void(int)> drop = [&bytes](int) {
        bytes.reset(); // LAMBDA
    };
    std::thread(drop, 1).join();
    ibv_dereg_mr(mr);
}

int main() {
    ibv_context *context = ibv_open_device(ibv_get_device_list(nullptr)[0]);
    pd = ibv_alloc_pd(context);
    grow();
    leave_template();
    erase();
    lambda();
    ibv_dealloc_pd(pd);
    return ibv_close_device(context);
}
