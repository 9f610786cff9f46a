//! Days of the proleptic Gregorian calendar as counts from 1970-01-01.

/// A calendar day, counted from 1970-01-01.
pub type Day = i32;

/// Days from civil date, by counting years from March so that the leap day is the last of its year.
pub fn from_ymd(year: i32, month: u32, day: u32) -> Option<Day> {
    if !(1..=9999).contains(&year) || !(1..=12).contains(&month) || day < 1 || day > month_days(year, month) {
        return None;
    }
    let early = u32::from(month <= 2);
    let shifted = year as u32 - early;
    let of_year = (153 * (month + 12 * early - 3) + 2) / 5 + day - 1;
    let leaps = shifted / 4 - shifted / 100 + shifted / 400;
    Some((shifted * 365 + leaps + of_year) as i32 - 719_468)
}

/// The inverse of [`from_ymd`]: year, month, day.
pub fn to_ymd(day: Day) -> (i32, u32, u32) {
    let shifted = day + 719_468;
    let (era, of_era) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let march = (5 * of_year + 2) / 153;
    let month = if march < 10 { march + 3 } else { march - 9 } as u32;
    let date = (of_year - (153 * march + 2) / 5 + 1) as u32;
    (year + era * 400 + i32::from(month <= 2), month, date)
}

/// Reads `YYYY-MM-DD`, alone or followed by a time (`T` or a space).
pub fn parse(text: &[u8]) -> Option<Day> {
    let (date, rest) = text.split_first_chunk::<10>()?;
    if !matches!(rest.first(), None | Some(b'T' | b' ')) {
        return None;
    }
    // What each byte is beyond what it must be at least; nothing is beyond a hyphen.
    let digits: [u8; 10] = std::array::from_fn(|i| date[i].wrapping_sub(b"0000-00-00"[i]));
    let valid =
        digits.iter().zip([9, 9, 9, 9, 0, 9, 9, 0, 9, 9]).fold(true, |all, (d, most)| all & (*d <= most));
    let two = |at: usize| u32::from(digits[at]) * 10 + u32::from(digits[at + 1]);
    if !valid {
        return None;
    }
    from_ymd((two(0) * 100 + two(2)) as i32, two(5), two(8))
}

/// Writes `YYYY-MM-DD`.
pub fn format(day: Day) -> String {
    let (year, month, date) = to_ymd(day);
    format!("{year:04}-{month:02}-{date:02}")
}

/// Number of days of a month.
pub fn month_days(year: i32, month: u32) -> u32 {
    match month {
        4 | 6 | 9 | 11 => 30,
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        _ => 31,
    }
}

/// `months` after the first of the month that `day` lies in.
pub fn add_months(day: Day, months: i32) -> Option<Day> {
    let (year, month, _) = to_ymd(day);
    let index = year * 12 + month as i32 - 1 + months;
    from_ymd(index.div_euclid(12), index.rem_euclid(12) as u32 + 1, 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_day_of_the_calendar_counts_one_further() {
        let mut next = from_ymd(1, 1, 1).unwrap();
        for year in 1..=9999 {
            for month in 1..=12 {
                for day in 1..=month_days(year, month) {
                    assert_eq!(from_ymd(year, month, day), Some(next));
                    assert_eq!(to_ymd(next), (year, month, day));
                    next += 1;
                }
            }
        }
        assert_eq!(from_ymd(1970, 1, 1), Some(0));
        assert_eq!(from_ymd(2000, 3, 1), Some(11_017));
    }

    #[test]
    fn parses_what_it_formats_and_nothing_else() {
        assert_eq!(parse(b"2019-12-31"), from_ymd(2019, 12, 31));
        assert_eq!(parse(b"2019-12-31T23:59:59Z"), from_ymd(2019, 12, 31));
        for bad in [
            "2019-0/-01",
            "2019-01-0:",
            "2019:01-01",
            "2019-01.01",
            "2019-02-29",
            "2019-13-01",
            "2019-1-01",
            "19-01-01",
            "2019-01-010",
            "2019/01/01",
            "",
            "-",
        ] {
            assert_eq!(parse(bad.as_bytes()), None, "{bad}");
        }
        assert_eq!(format(from_ymd(987, 6, 5).unwrap()), "0987-06-05");
        assert_eq!(add_months(from_ymd(2019, 11, 30).unwrap(), 3), from_ymd(2020, 2, 1));
    }
}
