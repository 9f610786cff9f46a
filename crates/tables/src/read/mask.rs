//! Which of 64 bytes are of a kind, one bit each: in SIMD where there is any, else in a scalar twin.
#![cfg_attr(
    any(target_arch = "x86_64", all(target_arch = "wasm32", target_feature = "simd128")),
    expect(
        unsafe_code,
        reason = "SIMD loads take pointers; calls of SSE2, which x86-64 always has, count as unsafe"
    )
)]

/// The bits of 64 bytes.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Masks {
    /// Delimiters and line feeds.
    pub fields: u64,
    /// Line feeds.
    pub rows: u64,
    /// Whether there is a quote, a return or a byte beyond ASCII, so that [`special`] has more to say.
    pub special: bool,
}

/// What only some blocks have.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Special {
    /// Quotes.
    pub quotes: u64,
    /// Returns.
    pub returns: u64,
    /// Whether there is a byte beyond ASCII.
    pub beyond: bool,
}

#[cfg(not(any(target_arch = "x86_64", all(target_arch = "wasm32", target_feature = "simd128"))))]
pub(super) use scalar::{masks, special};
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub(super) use wasm::{masks, special};
#[cfg(target_arch = "x86_64")]
pub(super) use x86::{masks, special};

#[cfg(any(test, not(any(target_arch = "x86_64", all(target_arch = "wasm32", target_feature = "simd128")))))]
mod scalar {
    use super::{Masks, Special};

    pub fn masks(block: &[u8; 64], delimiter: u8) -> Masks {
        Masks {
            fields: mask(block, |b| b == delimiter || b == b'\n'),
            rows: mask(block, |b| b == b'\n'),
            special: block.iter().any(|b| matches!(b, b'"' | b'\r' | 128..)),
        }
    }

    pub fn special(block: &[u8; 64]) -> Special {
        let (quotes, returns) = (mask(block, |b| b == b'"'), mask(block, |b| b == b'\r'));
        Special { quotes, returns, beyond: !block.is_ascii() }
    }

    fn mask(block: &[u8; 64], kind: impl Fn(u8) -> bool) -> u64 {
        block.iter().rev().fold(0, |mask, byte| mask << 1 | u64::from(kind(*byte)))
    }
}

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod wasm {
    use super::{Masks, Special};
    use std::arch::wasm32::{i8x16_bitmask, u8x16_eq, u8x16_splat, v128, v128_load, v128_or};

    #[inline]
    pub fn masks(block: &[u8; 64], delimiter: u8) -> Masks {
        let lanes = load(block);
        let rows = lanes.map(|lane| u8x16_eq(lane, u8x16_splat(b'\n')));
        let fields = lanes.map(|lane| u8x16_eq(lane, u8x16_splat(delimiter)));
        let odd = lanes.map(|lane| {
            let quote = u8x16_eq(lane, u8x16_splat(b'"'));
            v128_or(v128_or(quote, u8x16_eq(lane, u8x16_splat(b'\r'))), lane)
        });
        let special = i8x16_bitmask(v128_or(v128_or(odd[0], odd[1]), v128_or(odd[2], odd[3]))) != 0;
        let rows = bits(rows);
        Masks { fields: bits(fields) | rows, rows, special }
    }

    pub fn special(block: &[u8; 64]) -> Special {
        let lanes = load(block);
        let quotes = bits(lanes.map(|lane| u8x16_eq(lane, u8x16_splat(b'"'))));
        let returns = bits(lanes.map(|lane| u8x16_eq(lane, u8x16_splat(b'\r'))));
        Special { quotes, returns, beyond: bits(lanes) != 0 }
    }

    #[inline]
    fn load(block: &[u8; 64]) -> [v128; 4] {
        // SAFETY: the pointer and 16 bytes from it lie in the block; the load needs no alignment.
        let lane = |i: usize| unsafe { v128_load(block[16 * i..16 * i + 16].as_ptr().cast()) };
        [lane(0), lane(1), lane(2), lane(3)]
    }

    /// The upper bits of 64 bytes.
    #[inline]
    fn bits(lanes: [v128; 4]) -> u64 {
        let [a, b, c, d] = lanes.map(|lane| u64::from(i8x16_bitmask(lane)));
        a | b << 16 | c << 32 | d << 48
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::{Masks, Special};
    use std::arch::x86_64::{
        __m128i, _mm_cmpeq_epi8, _mm_loadu_si128, _mm_movemask_epi8, _mm_or_si128, _mm_set1_epi8,
    };

    #[inline]
    pub fn masks(block: &[u8; 64], delimiter: u8) -> Masks {
        let lanes = load(block);
        let rows = bits(lanes.map(|lane| equal(lane, b'\n')));
        let fields = bits(lanes.map(|lane| equal(lane, delimiter)));
        let odd = lanes.map(|lane| or(or(equal(lane, b'"'), equal(lane, b'\r')), lane));
        let special = upper(or(or(odd[0], odd[1]), or(odd[2], odd[3]))) != 0;
        Masks { fields: fields | rows, rows, special }
    }

    pub fn special(block: &[u8; 64]) -> Special {
        let lanes = load(block);
        let quotes = bits(lanes.map(|lane| equal(lane, b'"')));
        let returns = bits(lanes.map(|lane| equal(lane, b'\r')));
        Special { quotes, returns, beyond: bits(lanes) != 0 }
    }

    #[inline]
    fn load(block: &[u8; 64]) -> [__m128i; 4] {
        // SAFETY: the pointer and 16 bytes from it lie in the block; the load needs no alignment.
        let lane = |i: usize| unsafe { _mm_loadu_si128(block[16 * i..16 * i + 16].as_ptr().cast()) };
        [lane(0), lane(1), lane(2), lane(3)]
    }

    #[inline]
    fn equal(lane: __m128i, byte: u8) -> __m128i {
        // SAFETY: every x86-64 processor has SSE2.
        unsafe { _mm_cmpeq_epi8(lane, _mm_set1_epi8(byte.cast_signed())) }
    }

    #[inline]
    fn or(a: __m128i, b: __m128i) -> __m128i {
        // SAFETY: every x86-64 processor has SSE2.
        unsafe { _mm_or_si128(a, b) }
    }

    /// The upper bit of each byte.
    #[inline]
    fn upper(lane: __m128i) -> u64 {
        // SAFETY: every x86-64 processor has SSE2.
        u64::from(unsafe { _mm_movemask_epi8(lane) }.cast_unsigned())
    }

    #[inline]
    fn bits(lanes: [__m128i; 4]) -> u64 {
        let [a, b, c, d] = lanes.map(upper);
        a | b << 16 | c << 32 | d << 48
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn simd_and_its_scalar_twin_agree(
            block in prop::array::uniform32(prop_oneof![any::<u8>(), prop::sample::select(&b"\r\n\",;"[..])]),
            rest in prop::array::uniform32(prop_oneof![3 => Just(b'a'), 1 => Just(b','), 1 => Just(b'\n')]),
            delimiter in prop::sample::select(&b",;\t|"[..])
        ) {
            for parts in [[block, rest], [rest, block], [rest, rest]] {
                let block: [u8; 64] = parts.concat().try_into().unwrap();
                prop_assert_eq!(masks(&block, delimiter), scalar::masks(&block, delimiter));
                prop_assert_eq!(special(&block), scalar::special(&block));
            }
        }
    }
}
