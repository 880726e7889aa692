/** What the operators of page content ask for: how many numbers, or how many operands of any kind. ISO 32000-1, annex A. */

const NUMBERS: Readonly<Record<number, string>> = {
  1: 'w J j M i Tc Tw Tz TL Tr Ts g G',
  2: 'm l Td TD d0',
  3: 'rg RG',
  4: 're v y k K',
  6: 'c cm Tm d1',
}
const ANY: Readonly<Record<number, string>> = {
  1: "gs cs CS sh Do Tj TJ ' BMC MP ri",
  2: 'd Tf BDC DP',
  3: '"',
}

export interface Wanted {
  operands: number
  isNumbers: boolean
}

const wanted =
  (isNumbers: boolean) =>
  (row: readonly [string, string]): [string, Wanted][] =>
    row[1].split(' ').map((operator) => [operator, { operands: Number(row[0]), isNumbers }])

/** Operators that are not listed need nothing. */
export const wantedBy: ReadonlyMap<string, Wanted> = new Map([
  ...Object.entries(NUMBERS).flatMap(wanted(true)),
  ...Object.entries(ANY).flatMap(wanted(false)),
])
