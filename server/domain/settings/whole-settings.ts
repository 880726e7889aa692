/** Settings that need one another: what is missing is said at the setting that asks for it. */
import type { RefinementCtx } from 'zod'
import { isMailServer } from './mail-server.ts'

/** Single sign-on needs all of its settings, and passwords end only where there is another way in. */
export function signOnIsWhole(
  { oidcIssuer, oidcClientId, oidcClientSecret, publicUrl, passwords }: Record<string, unknown>,
  { addIssue }: RefinementCtx,
): void {
  const wrong = (name: string, message: string) => addIssue({ code: 'custom', path: [name], message })
  if (oidcIssuer === undefined) {
    if (oidcClientId !== undefined) wrong('oidcClientId', 'needs --oidc-issuer')
    if (passwords !== 'on') wrong('passwords', 'needs --oidc-issuer, or no one could sign in')
    return
  }
  if (oidcClientId === undefined) wrong('oidcClientId', 'needed with --oidc-issuer')
  if (publicUrl === undefined) wrong('publicUrl', 'needed with --oidc-issuer')
  if (oidcClientSecret === undefined)
    wrong(
      'oidcIssuer',
      'set COUNTERSIGN_OIDC_CLIENT_SECRET to the secret of the client, or give --oidc-client-secret-file',
    )
}

/** Notices need a sender and the address of the inbox, and a user at the mail server a password. */
export function mailIsWhole(
  { smtpUrl, smtpFrom, smtpPassword, publicUrl }: Record<string, unknown>,
  { addIssue }: RefinementCtx,
): void {
  const wrong = (name: string, message: string) => addIssue({ code: 'custom', path: [name], message })
  if (typeof smtpUrl !== 'string') {
    if (smtpFrom !== undefined) wrong('smtpFrom', 'needs --smtp-url')
    return
  }
  if (smtpFrom === undefined) wrong('smtpFrom', 'needed with --smtp-url')
  if (publicUrl === undefined) wrong('publicUrl', 'needed with --smtp-url')
  if (isMailServer(smtpUrl) && new URL(smtpUrl).username !== '' && smtpPassword === undefined)
    wrong('smtpUrl', 'set COUNTERSIGN_SMTP_PASSWORD to the password of the user, or give --smtp-password-file')
}

/** A bucket needs a server and a key. */
export function bucketIsWhole(
  { documents, documentsEndpoint, documentsKeyId, documentsSecret }: Record<string, unknown>,
  { addIssue }: RefinementCtx,
): void {
  const wrong = (name: string, message: string) => addIssue({ code: 'custom', path: [name], message })
  for (const [name, value] of Object.entries({ documentsEndpoint, documentsKeyId }))
    if ((documents === undefined) !== (value === undefined))
      wrong(name, documents === undefined ? 'needs --documents' : 'needed with --documents')
  if (documents !== undefined && documentsSecret === undefined)
    wrong('documents', 'set COUNTERSIGN_DOCUMENTS_SECRET to the secret of the key, or give --documents-secret-file')
}
