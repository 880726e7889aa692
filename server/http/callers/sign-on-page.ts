/** The page that tells someone who came back from the provider why they are not signed in. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Response } from 'express'
import { Later, type Refusal } from '../../domain/refusal.ts'
import { statusOf } from '../failures.ts'
import { BUILT_PAGES } from '../pages.ts'

/** Where the sentence goes, in the built page. */
const MARK = '<!--reason-->'

export function showRefusal(res: Response, refusal: Refusal): void {
  if (refusal instanceof Later) res.setHeader('Retry-After', String(refusal.waitSeconds))
  const page = readFileSync(join(BUILT_PAGES, 'not-signed-in.html'), 'utf8')
  res
    .status(statusOf(refusal.kind))
    .type('html')
    .send(page.replace(MARK, () => escaped(refusal.errors.join(' '))))
}

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
