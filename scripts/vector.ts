/** The published test vector of webhook signatures, as the README shows it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

interface Vector {
  secret: string
  timestamp: number
  body: string
  header: string
}

const file = join(import.meta.dirname, '../test/fixtures/webhook-vector.json')

export function vectorBlock(): string {
  const { secret, timestamp, body, header } = JSON.parse(readFileSync(file, 'utf8')) as Vector
  return [
    '```',
    `secret               ${secret}`,
    `X-Service-Timestamp  ${timestamp}`,
    `body                 ${body}`,
    `X-Service-Signature  ${header}`,
    '```',
  ].join('\n')
}
