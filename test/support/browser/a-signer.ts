/** A signer with a name of their own, who signs in with a password. */
import type { Visit } from './a-visit.ts'
import type { InboxPage } from './inbox-page.ts'

const PASSWORD = 'correct horse battery staple'

/**
 * @param operator who is signed in
 * @param number tells the signers of a test apart
 * @throws {Error} with what the service says, when it refuses the name
 */
export async function aSigner(operator: Visit, number: number, signingName: string) {
  const npi = `99998${String(number).padStart(5, '0')}`
  const email = `signer-${number}@practice.example`
  const named = { npi, firstName: 'Any', lastName: 'Signer', signingName, organizationIds: [1] }
  const account = { email, name: signingName, role: 'signer', npi, password: PASSWORD }
  for (const [path, body] of [['/providers', named] as const, ['/accounts', account] as const]) {
    const { status, errors } = await operator.ask('POST', `/admin/v1${path}`, body)
    if (status !== 201) throw new Error(errors.join(' '))
  }
  return { npi, email }
}

export async function signsIn({ page, button }: InboxPage, email: string): Promise<void> {
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password').fill(PASSWORD)
  await button('Sign in').first().click()
  await button('Sign out').waitFor()
}
