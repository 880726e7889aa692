/** The e-mails to signers. They hold a number and links, and senders' names where the service is set so; nothing of a patient. Pure. */

export interface MailText {
  subject: string
  text: string
}

export interface WaitingNotice {
  /** How many documents wait. */
  count: number
  /** Names of the organizations that sent them; empty where they are not to be named. */
  senders: readonly string[]
  inboxUrl: string
  /** Where a click ends these e-mails. */
  offUrl: string
}

export function waitingText({ count, senders, inboxUrl, offUrl }: WaitingNotice): MailText {
  const subject = count === 1 ? '1 document waits for your signature' : `${count} documents wait for your signature`
  const from = senders.length > 0 ? ` Sent by ${senders.map(plain).join(', ')}.` : ''
  const text = `${subject}.${from}

Open your inbox: ${inboxUrl}

When you get these e-mails: ${inboxUrl}#/notices
No more e-mails: ${offUrl}
`
  return { subject, text }
}

export const codeText = (code: string, inboxUrl: string): MailText => ({
  subject: 'Confirm your e-mail address',
  text: `Enter this code in your inbox, under E-mail: ${code}

It is valid for 30 minutes. Your inbox: ${inboxUrl}#/notices

If you did not ask for it, another person has entered your address by mistake. Nothing is sent here without the code.
`,
})

/** A name on one line: it comes from the person who set the organization up. */
const plain = (name: string): string => name.replace(/\s+/g, ' ').trim()
