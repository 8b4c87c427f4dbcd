/* replica-cells.c: the cell operations of an update. See replica-internal.h. */
#include "replica-internal.h"

bool wn_replica_cells_valid(const uint32_t *numbers, size_t size, uint64_t total, uint32_t limit)
{
    uint64_t at = 0;
    for (size_t i = 0; i < size;) {
        const uint32_t count = numbers[i] >> 2;
        const uint32_t kind = numbers[i] & 3;
        const uint32_t values = kind == WN_CELLS_COPY ? count : kind == WN_CELLS_FILL;
        i++;
        if (kind > WN_CELLS_COPY || count > total - at || values > size - i) {
            return false;
        }
        for (const size_t end = i + values; i < end; i++) {
            if (numbers[i] >= limit) {
                return false;
            }
        }
        at += count;
    }
    return true;
}

void wn_replica_apply_cells(uint16_t *cells, const uint32_t *numbers, size_t size)
{
    for (size_t i = 0; i < size;) {
        const uint32_t count = numbers[i] >> 2;
        const uint32_t kind = numbers[i] & 3;
        i++;
        if (kind == WN_CELLS_FILL) {
            for (uint32_t k = 0; k < count; k++) {
                cells[k] = (uint16_t)numbers[i];
            }
            i++;
        } else if (kind == WN_CELLS_COPY) {
            for (uint32_t k = 0; k < count; k++) {
                cells[k] = (uint16_t)numbers[i + k];
            }
            i += count;
        }
        cells += count;
    }
}
