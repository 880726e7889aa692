/** How the caller is notified by e-mail that documents wait. An address is used once a code that was sent there has come back. */
import * as z from 'zod'
import { ErrorBody } from '../../../lib/contract/error.ts'
import { rule } from '../../../lib/contract/primitives.ts'
import { NOTICE_CODE_EVERY_MS } from '../../choices.ts'
import { Refusal, TooMany } from '../../domain/refusal.ts'
import { EmailAddress, Notices, NoticesBody } from '../notices.ts'
import { type SignerContext, signerRow } from './signer-context.ts'

const about = { group: 'E-mail notices', who: ['signer'] } as const
const path = '/inbox/api/notices'

export const readNotices = signerRow({
  ...about,
  method: 'get',
  path,
  summary: 'Read how the signer is notified by e-mail of waiting documents',
  responses: { 200: Notices },
  async run({ scope, notices }) {
    const { enteredAt: _, ...setting } = await notices.of(scope.signerNpi)
    return { isOffered: notices.isOffered, ...setting }
  },
})

export const chooseNotices = signerRow({
  ...about,
  method: 'post',
  path,
  summary: 'Choose when e-mails come',
  body: NoticesBody,
  responses: { 204: null, 409: ErrorBody },
  async run(context, { body }) {
    const { notices, scope, by, at } = context
    mustBeOffered(context)
    await notices.choose(scope.signerNpi, body, notices.newKey(), { by, at })
  },
})

export const enterAddress = signerRow({
  ...about,
  method: 'post',
  path: `${path}/address`,
  summary: 'Have a code sent to an address, to confirm it',
  body: z.object({ address: EmailAddress }),
  responses: { 204: null, 409: ErrorBody, 429: ErrorBody },
  async run(context, { body: { address } }) {
    const { notices, scope, by, at } = context
    mustBeOffered(context)
    const { enteredAt } = await notices.of(scope.signerNpi)
    const waitMs = enteredAt === null ? 0 : Date.parse(enteredAt) + NOTICE_CODE_EVERY_MS - at.getTime()
    if (waitMs > 0)
      throw new TooMany(waitMs, 'A code was sent a moment ago. Wait two minutes before you ask for another.')
    await notices.enter(scope.signerNpi, address, notices.newKey(), { by, at })
  },
})

const code = 'the six digits of the e-mail'

export const confirmAddress = signerRow({
  ...about,
  method: 'post',
  path: `${path}/address/confirm`,
  summary: 'Confirm the address with the code that was sent there',
  body: z.object({ code: z.string(rule(code)).regex(/^\s*\d{3}\s?\d{3}\s*$/, code) }),
  responses: { 204: null, 409: ErrorBody },
  async run({ notices, scope, by, at }, { body }) {
    const outcome = await notices.confirm(scope.signerNpi, body.code.replace(/\s/g, ''), { by, at })
    if (outcome === 'wrong')
      throw new Refusal('conflict', 'This is not the code. Look at the last e-mail that was sent.')
    if (outcome === 'ended')
      throw new Refusal('conflict', 'No code is valid now. Enter the address again to get another.')
  },
})

function mustBeOffered({ notices: { isOffered } }: SignerContext): void {
  if (!isOffered) throw new Refusal('conflict', 'This service sends no e-mails: its operator has set no mail server.')
}
