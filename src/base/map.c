/* SPDX-License-Identifier: Apache-2.0 */
/* Open addressing with linear probing; a removal shifts its successors back,
 * so there are no tombstones. Keys come from the other side of a connection,
 * therefore the hash is keyed. */
#include "base/base.h"

#include <sodium.h>
#include <string.h>

#define FIRST_SLOTS 8

typedef struct slot {
    char *key; /* NULL: free */
    void *value;
    uint64_t hash;
} slot;

struct aper__map {
    slot *slots;
    size_t size; /* 0 or a power of two */
    size_t count;
    unsigned char secret[crypto_shorthash_KEYBYTES];
};

aper__map *aper__map_new(void)
{
    aper__map *map = aper__alloc(sizeof *map);
    if (map)
        randombytes_buf(map->secret, sizeof map->secret);
    return map;
}

void aper__map_free(aper__map *map, void (*free_value)(void *))
{
    if (!map)
        return;
    for (size_t i = 0; i < map->size; i++) {
        if (!map->slots[i].key)
            continue;
        if (free_value)
            free_value(map->slots[i].value);
        aper__dealloc(map->slots[i].key);
    }
    aper__dealloc(map->slots);
    aper__dealloc(map);
}

static uint64_t hash_key(const aper__map *map, const char *key)
{
    uint64_t hash;
    crypto_shorthash((unsigned char *)&hash, (const unsigned char *)key,
                     strlen(key), map->secret);
    return hash;
}

/* The slot that holds key, or the free one where it belongs. */
static slot *find_slot(const aper__map *map, const char *key, uint64_t hash)
{
    size_t mask = map->size - 1;
    for (size_t i = hash & mask;; i = (i + 1) & mask) {
        slot *at = &map->slots[i];
        if (!at->key || (at->hash == hash && strcmp(at->key, key) == 0))
            return at;
    }
}

void *aper__map_get(const aper__map *map, const char *key)
{
    if (map->count == 0)
        return NULL;
    return find_slot(map, key, hash_key(map, key))->value;
}

static bool grow(aper__map *map)
{
    size_t size = map->size ? map->size * 2 : FIRST_SLOTS;
    if (size > PTRDIFF_MAX / sizeof(slot))
        return false;
    slot *slots = aper__alloc(size * sizeof *slots);
    if (!slots)
        return false;
    slot *old = map->slots;
    size_t old_size = map->size;
    map->slots = slots;
    map->size = size;
    for (size_t i = 0; i < old_size; i++) {
        if (old[i].key)
            *find_slot(map, old[i].key, old[i].hash) = old[i];
    }
    aper__dealloc(old);
    return true;
}

aper_status aper__map_set(aper__map *map, const char *key, void *value,
                          void **old)
{
    uint64_t hash = hash_key(map, key);
    slot *at = map->size ? find_slot(map, key, hash) : NULL;
    void *was = NULL;
    if (at && at->key) {
        was = at->value;
        at->value = value;
    } else {
        char *copy = aper__strdup(key);
        if (!copy)
            return APER_E_NOMEM;
        if ((map->count + 1) * 4 > map->size * 3) {
            if (!grow(map)) {
                aper__dealloc(copy);
                return APER_E_NOMEM;
            }
            at = find_slot(map, key, hash);
        }
        *at = (slot){copy, value, hash};
        map->count++;
    }
    if (old)
        *old = was;
    return APER_OK;
}

void *aper__map_remove(aper__map *map, const char *key)
{
    if (map->count == 0)
        return NULL;
    slot *at = find_slot(map, key, hash_key(map, key));
    if (!at->key)
        return NULL;
    void *value = at->value;
    aper__dealloc(at->key);
    map->count--;

    size_t mask = map->size - 1;
    size_t hole = (size_t)(at - map->slots);
    for (size_t i = (hole + 1) & mask; map->slots[i].key; i = (i + 1) & mask) {
        /* An entry may move back only as far as its own place. */
        size_t own = map->slots[i].hash & mask;
        if (((i - own) & mask) < ((i - hole) & mask))
            continue;
        map->slots[hole] = map->slots[i];
        hole = i;
    }
    map->slots[hole] = (slot){0};
    return value;
}

size_t aper__map_count(const aper__map *map)
{
    return map->count;
}

bool aper__map_next(const aper__map *map, size_t *cursor, const char **key,
                    void **value)
{
    for (size_t i = *cursor; i < map->size; i++) {
        if (!map->slots[i].key)
            continue;
        if (key)
            *key = map->slots[i].key;
        if (value)
            *value = map->slots[i].value;
        *cursor = i + 1;
        return true;
    }
    *cursor = map->size;
    return false;
}
