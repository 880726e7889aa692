/** The operands of page content operators: how many numbers, or how many operands of any kind. ISO 32000-1, annex A. */

/** The operators that ask for numbers, by how many. */
const NUMBERS: Readonly<Record<number, string>> = {
  1: 'w J j M i Tc Tw Tz TL Tr Ts g G',
  2: 'm l Td TD d0',
  3: 'rg RG',
  4: 're v y k K',
  6: 'c cm Tm d1',
}
/** The operators that ask for operands of any kind, by how many. */
const ANY: Readonly<Record<number, string>> = {
  1: "gs cs CS sh Do Tj TJ ' BMC MP ri",
  2: 'd Tf BDC DP',
  3: '"',
}

export interface OperandRule {
  operands: number
  isNumbers: boolean
}

const rulesOf = (operators: Readonly<Record<number, string>>, isNumbers: boolean): [string, OperandRule][] =>
  Object.entries(operators).flatMap(([operands, names]) =>
    names.split(' ').map((name): [string, OperandRule] => [name, { operands: Number(operands), isNumbers }]),
  )

/** The operands of each operator. One that is not listed needs none. */
export const operandRules: ReadonlyMap<string, OperandRule> = new Map([
  ...rulesOf(NUMBERS, true),
  ...rulesOf(ANY, false),
])
