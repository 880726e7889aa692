/** Who may call a row of the operator's interface, as its OpenAPI document says it: in words, and as `x-callers`. */
import type { Row } from '../row.ts'

const REACHES = {
  operator: {
    key: 'all-organizations',
    words: 'an operator who is signed in, or a key for all organizations',
  },
  administrator: {
    key: 'one-organization',
    words: 'an administrator who is signed in, or a key for one organization; either reaches only that organization',
  },
} as const

/** `sessions` names the roles of those who are signed in, `keys` how far an operator key must reach, `scope` what it must have been made for. */
export function callersOf({ who, scope }: Pick<Row, 'who' | 'scope'>) {
  const roles = (['operator', 'administrator'] as const).filter((role) => who.includes(role))
  return {
    description: [
      'May be called by:',
      '',
      ...roles.map((role) => `- ${REACHES[role].words}`),
      ...(scope ? ['', `A key must have been made with \`--scope ${scope}\`.`] : []),
    ].join('\n'),
    'x-callers': { sessions: roles, keys: roles.map((role) => REACHES[role].key), ...(scope && { scope }) },
  }
}
