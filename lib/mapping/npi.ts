/** National Provider Identifiers. */

/** Whether the check digit fits: Luhn over the number prefixed with 80840, which stands for "health, United States". */
export function hasCheckDigit(npi: string): boolean {
  const sum = [...`80840${npi}`].reverse().reduce((total, digit, index) => {
    const weighed = Number(digit) * (index % 2 === 1 ? 2 : 1)
    return total + (weighed > 9 ? weighed - 9 : weighed)
  }, 0)
  return sum % 10 === 0
}
