/* SPDX-License-Identifier: Apache-2.0 */
/* Stands in for libFuzzer with any compiler: runs the target on every file of
 * the directories given, so that the corpus is an ordinary test. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int run_file(const char *directory, const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        return -1;
    }
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    /* Exactly as large as the input, so that a sanitizer sees an overrun. */
    uint8_t *data = malloc(size ? (size_t)size : 1);
    size_t got = data ? fread(data, 1, (size_t)size, file) : 0;
    fclose(file);
    if (got == (size_t)size)
        LLVMFuzzerTestOneInput(data, got);
    free(data);
    return got == (size_t)size ? 0 : -1;
}

int main(int argc, char **argv)
{
    unsigned count = 0;
    for (int i = 1; i < argc; i++) {
        DIR *directory = opendir(argv[i]);
        if (!directory) {
            perror(argv[i]);
            return EXIT_FAILURE;
        }
        struct dirent *entry;
        while ((entry = readdir(directory)) != NULL) {
            if (entry->d_name[0] == '.')
                continue;
            if (run_file(argv[i], entry->d_name) != 0)
                return EXIT_FAILURE;
            count++;
        }
        closedir(directory);
    }
    printf("%u inputs\n", count);
    return count ? EXIT_SUCCESS : EXIT_FAILURE;
}
