//! Bytes in any supported encoding to UTF-8.

use super::options::Encoding;

/// What a unit that is no character becomes: a byte that no UTF-8 text has, so that whoever checks the text
/// finds it in the row where it stands.
const INVALID: u8 = 0xff;
const MARK: &[u8] = b"\xef\xbb\xbf";

/// The characters of windows-1252 from 0x80 to 0x9f.
const UPPER: [u16; 32] = [
    0x20ac, 0x81, 0x201a, 0x192, 0x201e, 0x2026, 0x2020, 0x2021, 0x2c6, 0x2030, 0x160, 0x2039, 0x152, 0x8d,
    0x17d, 0x8f, 0x90, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014, 0x2dc, 0x2122, 0x161, 0x203a,
    0x153, 0x9d, 0x17e, 0x178,
];

/// Turns pieces of bytes into UTF-8, whatever the pieces; drops a byte order mark at the start. UTF-8 itself is
/// passed on unchecked.
#[derive(Debug)]
pub(super) struct Decoder {
    encoding: Encoding,
    /// What the first bytes may be: a byte order mark so far, or settled.
    start: Option<Vec<u8>>,
    /// The first byte of a UTF-16 unit.
    half: Option<u8>,
    /// The first unit of a surrogate pair.
    lead: Option<u16>,
}

impl Decoder {
    pub fn new(encoding: Encoding) -> Self {
        let start = (encoding != Encoding::Latin1).then(Vec::new);
        Self { encoding, start, half: None, lead: None }
    }

    /// The most bytes of UTF-8 that so many bytes become, with those that were held back before.
    pub fn most(&self, bytes: usize) -> usize {
        let per_byte = if self.encoding == Encoding::Utf8 { 1 } else { 3 };
        per_byte * bytes + 3
    }

    /// Appends the text of a piece.
    pub fn push(&mut self, mut bytes: &[u8], to: &mut Vec<u8>) {
        while let (Some(start), Some((first, rest))) = (&mut self.start, bytes.split_first()) {
            start.push(*first);
            bytes = rest;
            self.settle(to);
        }
        self.decode(bytes, to);
    }

    /// Appends what is left of an unfinished character.
    pub fn finish(&mut self, to: &mut Vec<u8>) {
        if let Some(start) = self.start.take() {
            self.decode(&start, to);
        }
        if self.half.take().is_some() | self.lead.take().is_some() {
            to.push(INVALID);
        }
    }

    /// Ends the start once its bytes are a byte order mark or cannot become one.
    fn settle(&mut self, to: &mut Vec<u8>) {
        let Some(start) = &self.start else { return };
        let marks: &[(&[u8], Encoding)] = match self.encoding {
            Encoding::Utf8 | Encoding::Latin1 => &[(MARK, Encoding::Utf8)],
            Encoding::Utf16Le => &[(b"\xff\xfe", Encoding::Utf16Le)],
            Encoding::Utf16Be => &[(b"\xfe\xff", Encoding::Utf16Be)],
            Encoding::Utf16 => &[(b"\xff\xfe", Encoding::Utf16Le), (b"\xfe\xff", Encoding::Utf16Be)],
        };
        if let Some((_, encoding)) = marks.iter().find(|(mark, _)| mark == start) {
            self.encoding = *encoding;
            self.start = None;
        } else if !marks.iter().any(|(mark, _)| mark.starts_with(start)) {
            let start = self.start.take().unwrap_or_default();
            self.decode(&start, to);
        }
    }

    fn decode(&mut self, bytes: &[u8], to: &mut Vec<u8>) {
        match self.encoding {
            Encoding::Utf8 => to.extend_from_slice(bytes),
            Encoding::Latin1 => latin1(bytes, to),
            Encoding::Utf16 | Encoding::Utf16Le => self.utf16(bytes, to, u16::from_le_bytes),
            Encoding::Utf16Be => self.utf16(bytes, to, u16::from_be_bytes),
        }
    }

    fn utf16(&mut self, bytes: &[u8], to: &mut Vec<u8>, unit: fn([u8; 2]) -> u16) {
        for byte in bytes {
            match self.half.take() {
                None => self.half = Some(*byte),
                Some(first) => self.unit(unit([first, *byte]), to),
            }
        }
    }

    fn unit(&mut self, unit: u16, to: &mut Vec<u8>) {
        let units = [self.lead.unwrap_or(unit), unit];
        let is_lead = (0xd800..0xdc00).contains(&unit);
        let units = match self.lead.take() {
            None if is_lead => {
                self.lead = Some(unit);
                return;
            }
            None => &units[1..],
            Some(_) if (0xdc00..0xe000).contains(&unit) => &units[..],
            Some(_) => {
                to.push(INVALID);
                return self.unit(unit, to);
            }
        };
        for character in char::decode_utf16(units.iter().copied()) {
            match character {
                Ok(character) => append(character, to),
                Err(_) => to.push(INVALID),
            }
        }
    }
}

fn latin1(bytes: &[u8], to: &mut Vec<u8>) {
    for part in bytes.chunks(64) {
        if part.is_ascii() {
            to.extend_from_slice(part);
            continue;
        }
        for byte in part {
            let unit = match byte {
                0x80..=0x9f => UPPER[usize::from(byte - 0x80)],
                _ => u16::from(*byte),
            };
            append(char::from_u32(u32::from(unit)).unwrap_or_default(), to);
        }
    }
}

fn append(character: char, to: &mut Vec<u8>) {
    to.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn decode<'a>(encoding: Encoding, pieces: impl IntoIterator<Item = &'a [u8]>) -> Vec<u8> {
        let (mut decoder, mut text) = (Decoder::new(encoding), Vec::new());
        pieces.into_iter().for_each(|piece| decoder.push(piece, &mut text));
        decoder.finish(&mut text);
        text
    }

    fn bytes(text: &str, unit: fn(u16) -> [u8; 2]) -> Vec<u8> {
        text.encode_utf16().flat_map(unit).collect()
    }

    #[test]
    fn latin1_is_windows_1252() {
        let all: Vec<u8> = (0..=255).collect();
        let text = String::from_utf8(decode(Encoding::Latin1, [&all[..]])).unwrap();
        assert_eq!(text.chars().count(), 256);
        let upper: String = text.chars().skip(0x80).take(32).collect();
        assert_eq!(upper, "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8d}Ž\u{8f}\u{90}‘’“”•–—˜™š›œ\u{9d}žŸ");
        assert!(text.chars().enumerate().all(|(i, c)| (0x80..0xa0).contains(&i) || c as usize == i));
    }

    #[test]
    fn marks_are_dropped_only_at_the_start_and_only_whole() {
        for (encoding, bytes, expected) in [
            (Encoding::Utf8, &b"\xef\xbb\xbfa\xef\xbb\xbf"[..], &b"a\xef\xbb\xbf"[..]),
            (Encoding::Utf8, b"\xef\xbb", b"\xef\xbb"),
            (Encoding::Utf8, b"\xef\xbba", b"\xef\xbba"),
            (Encoding::Utf16, b"\xfe\xff\0a", b"a"),
            (Encoding::Utf16, b"\xff\xfea\0", b"a"),
            (Encoding::Utf16, b"a\0", b"a"),
            (Encoding::Utf16Be, b"\xfe\xff\0a", b"a"),
            (Encoding::Latin1, b"\xef\xbb\xbf", "ï»¿".as_bytes()),
            (Encoding::Utf16Le, b"a\0b", b"a\xff"),
            (Encoding::Utf16Le, b"\x00\xd8a\0", b"\xffa"),
            (Encoding::Utf16Le, b"\x00\xd8\x00\xd8\x00\xdc", b"\xff\xf0\x90\x80\x80"),
            (Encoding::Utf16Le, b"\x00\xdc", b"\xff"),
            (Encoding::Utf16Le, b"\x00\xd8", b"\xff"),
        ] {
            assert_eq!(decode(encoding, bytes.chunks(1)), expected, "{bytes:?}");
            assert_eq!(decode(encoding, [bytes]), expected, "{bytes:?}");
        }
    }

    proptest! {
        #[test]
        fn utf16_comes_back_from_any_pieces(text in any::<String>(), size in 1usize..9) {
            prop_assume!(!text.starts_with('\u{feff}'));
            let (low, high) = (bytes(&text, u16::to_le_bytes), bytes(&text, u16::to_be_bytes));
            prop_assert_eq!(decode(Encoding::Utf16, low.chunks(size)), text.as_bytes());
            prop_assert_eq!(decode(Encoding::Utf16Le, low.chunks(size)), text.as_bytes());
            prop_assert_eq!(decode(Encoding::Utf16Be, high.chunks(size)), text.as_bytes());
        }
    }
}
