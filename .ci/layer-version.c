/* Prints the version that a validation layer's library states about itself: "1.4.364". Usage: layer-version FILE */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>

struct layer_properties {
    char name[256];
    uint32_t spec_version;
    uint32_t implementation_version;
    char description[256];
};

int main(int argc, char **argv)
{
    void *library = argc == 2 ? dlopen(argv[1], RTLD_NOW) : NULL;
    int32_t (*enumerate)(uint32_t *, struct layer_properties *) = NULL;
    struct layer_properties layer;
    uint32_t count = 1;

    if (library != NULL)
        *(void **)&enumerate = dlsym(library, "vkEnumerateInstanceLayerProperties");
    if (enumerate == NULL || enumerate(&count, &layer) < 0 || count != 1)
        return 1;
    printf("%u.%u.%u\n", layer.spec_version >> 22 & 0x7f, layer.spec_version >> 12 & 0x3ff,
           layer.spec_version & 0xfff);
    return 0;
}
