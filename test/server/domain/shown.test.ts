/** What the console, the e-mails and exported files show of patients, tasks and the service: neither more nor other than is set. */
import { expect } from 'chai'
import type { Patient } from '../../../lib/contract/task/patient.ts'
import { csvOf } from '../../../server/domain/csv.ts'
import { mailProblemOf } from '../../../server/domain/notices/mail-problem.ts'
import { noticeDue, noticeDueAgain, triedAgain } from '../../../server/domain/notices/schedule.ts'
import { codeText, waitingText } from '../../../server/domain/notices/texts.ts'
import { Busy, Later, Refusal, strangersWait, TooMany } from '../../../server/domain/refusal.ts'
import { OutcomeUnknown, StoreAway } from '../../../server/domain/store-refusals.ts'
import { decidedIn, decidedSubject, presentedIn, presentedSubject } from '../../../server/domain/task/act-subject.ts'
import { patientLabel } from '../../../server/domain/task/patient-label.ts'
import { matchWithoutReview, reviewAnyPatient } from '../../../server/domain/task/sandbox-matching.ts'
import { shownPatient } from '../../../server/domain/task/shown-patient.ts'
import { isLate } from '../../../server/domain/worker-health.ts'

const patient: Patient = {
  externalId: 'W|1',
  names: [
    { family: 'Lund', given: ['Ida', 'May'] },
    { family: 'Berg', given: [] },
  ],
  sex: 'Female',
  birthDate: '1946-05-05',
  addresses: [{ postalCode: '55802' }],
  identifiers: [
    { authority: 'ssn4', value: '1234' },
    { authority: 'mrn', value: 'WC100005' },
  ],
}
const named = (family: string, ...given: string[]): Patient => ({ ...patient, names: [{ family, given }] })

describe('A patient in a list', () => {
  it('is shown in full, by initials without the birth date, or not at all', () => {
    expect(patientLabel(patient, 'full')).to.deep.equal({ name: 'Ida May Lund', birthDate: '1946-05-05' })
    expect(patientLabel(patient, 'initials')).to.deep.equal({ name: 'I. L.', birthDate: null })
    expect(patientLabel(patient, 'hidden')).to.equal(null)
    expect(patientLabel({ ...patient, names: [] }, 'full')).to.equal(null)
  })

  it('has initials of whole characters, as capital letters, of the names that there are', () => {
    const initials = (one: Patient) => patientLabel(one, 'initials')?.name
    expect(initials(named(' øster', ' \u{1d4d0}da'))).to.equal('\u{1d4d0}. Ø.')
    expect(initials(named('Lund'))).to.equal('L.')
    expect(initials(named(' ', 'ida'))).to.equal('I.')
  })

  it('is distinguished by name, birth date, sex and medical record number', () => {
    expect(shownPatient(patient)).to.deep.equal({
      ...{ name: 'Ida May Lund', birthDate: '1946-05-05', sex: 'Female', mrn: 'WC100005' },
    })
    expect(shownPatient({ ...patient, identifiers: [{ authority: 'ssn4', value: '1234' }] }).mrn).to.equal(null)
    expect(shownPatient({ ...patient, identifiers: undefined as never, names: [] })).to.include({ mrn: null, name: '' })
  })
})

describe('The subject of an act', () => {
  it('is read as it was written, and nothing else is', () => {
    const presented = { patientId: 16, routedTo: 31, routedBy: 'orgNPI', fields: 42 } as const
    expect(presentedSubject(presented)).to.equal('patient 16 organization 31 orgNPI fields 42')
    for (const routedBy of ['orgNPI', 'address', 'primary'] as const)
      expect(presentedIn(presentedSubject({ ...presented, routedBy }))).to.deep.equal({ ...presented, routedBy })
    for (const subject of [
      null,
      '',
      'patient 16',
      'xpatient 1 organization 3 primary fields 4',
      'patient 1 organization 3 other fields 4',
      'patient 1 organization 3 primary fields 4x',
    ])
      expect(presentedIn(subject), `${subject}`).to.equal(null)
    for (const decided of [
      { isNew: true, patientId: 40 },
      { isNew: false, patientId: 39 },
    ])
      expect(decidedIn(decidedSubject(decided))).to.deep.equal(decided)
    expect([
      decidedSubject({ isNew: true, patientId: 40 }),
      decidedSubject({ isNew: false, patientId: 9 }),
    ]).to.deep.equal([...['new 40', 'same 9']])
    for (const subject of [null, '', 'xnew 4', 'new 4x', 'other 4', 'new'])
      expect(decidedIn(subject), `${subject}`).to.equal(null)
  })
})

describe('A file of rows', () => {
  it('is shown by a spreadsheet as it is, and runs nothing', () => {
    expect(csvOf(['a', 'b'], [['1', 'x "y", z']])).to.equal('\ufeff"a","b"\r\n"1","x ""y"", z"\r\n')
    expect(csvOf([], [])).to.equal('\ufeff\r\n')
    for (const text of [
      '=1',
      '+1',
      '-1',
      '@a',
      '|a',
      '%a',
      '＝1',
      '＋1',
      '－1',
      '＠1',
      ' =1',
      '\u200b=1',
      '\ta',
      '\ra',
      '\na',
    ])
      expect(csvOf([text], []), text).to.equal(`\ufeff"'${text}"\r\n`)
    for (const text of ['a=1', '1-2', ' a', '', '1']) expect(csvOf([text], []), text).to.equal(`\ufeff"${text}"\r\n`)
  })
})

describe('An e-mail', () => {
  const urls = { inboxUrl: 'https://s.example/inbox', offUrl: 'https://s.example/off/1' }
  it('says how many documents wait, and of whom where that is set', () => {
    const text = (waits: string, from = '') =>
      `${waits}.${from}\n\nOpen your inbox: ${urls.inboxUrl}\n\nWhen you get these e-mails: ${urls.inboxUrl}#/notices\nNo more e-mails: ${urls.offUrl}\n`
    expect(waitingText({ count: 1, senders: [], ...urls })).to.deep.equal({
      subject: '1 document waits for your signature',
      text: text('1 document waits for your signature'),
    })
    expect(waitingText({ count: 12, senders: ['Lake\r\nBcc: x', ' Willow  Creek '], ...urls })).to.deep.equal({
      subject: '12 documents wait for your signature',
      text: text('12 documents wait for your signature', ' Sent by Lake Bcc: x, Willow Creek.'),
    })
  })

  it('has a code and how long it is valid', () => {
    const { subject, text } = codeText('123456', urls.inboxUrl)
    expect(subject).to.equal('Confirm your e-mail address')
    expect(text)
      .to.contain('under E-mail: 123456\n')
      .and.contain('valid for 30 minutes')
      .and.contain(`${urls.inboxUrl}#/notices`)
  })

  const problems: [failure: Parameters<typeof mailProblemOf>[0], right: string][] = [
    [{ code: 'EAUTH' }, 'refusedUser'],
    [{ code: 'ENOAUTH' }, 'refusedUser'],
    [{ code: 'EENVELOPE' }, 'refusedAddress'],
    [{ code: 'ESOCKET', originalCode: 'CERT_HAS_EXPIRED' }, 'insecure'],
    [{ code: 'ETLS' }, 'insecure'],
    [{ code: 'ESOCKET', originalCode: 'ERR_SSL_X' }, 'insecure'],
    [{ code: 'ESOCKET', originalCode: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' }, 'insecure'],
    [{ code: 'ESOCKET', originalCode: 'ECONNREFUSED' }, 'away'],
    ...['ECONNECTION', 'EDNS', 'ETIMEDOUT', 'ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND'].map(
      (code): [{ code: string }, string] => [{ code }, 'away'],
    ),
    [{ code: 'XECONNRESET' }, 'refusedMail'],
    [{ code: 'EDNSX' }, 'refusedMail'],
    [{ code: 'EMESSAGE' }, 'refusedMail'],
    [{}, 'refusedMail'],
  ]
  for (const [failure, right] of problems)
    it(`that fails with ${JSON.stringify(failure)} is ${right}`, () => expect(mailProblemOf(failure)).to.equal(right))

  it('is sent five minutes after a document, or at an hour of the signer', () => {
    const at = new Date('2026-01-15T14:07:00.000Z')
    const choice = (mode: 'off' | 'soon' | 'daily', hour = 8) => ({ mode, hour, timeZone: 'America/Chicago' })
    expect(noticeDue(choice('off'), at)).to.equal(null)
    expect(noticeDue(choice('soon'), at)?.toISOString()).to.equal('2026-01-15T14:12:00.000Z')
    expect(noticeDue(choice('daily'), at)?.toISOString()).to.equal('2026-01-16T14:00:00.000Z')
    expect(noticeDue(choice('daily', 9), at)?.toISOString()).to.equal('2026-01-15T15:00:00.000Z')
    expect(noticeDue(choice('daily'), new Date('2026-01-15T14:00:00.000Z'))?.toISOString()).to.equal(
      '2026-01-16T14:00:00.000Z',
    )
    expect(noticeDue({ ...choice('daily', 6), timeZone: 'Asia/Kathmandu' }, at)?.toISOString()).to.equal(
      '2026-01-16T00:15:00.000Z',
    )
    expect(
      noticeDue(choice('daily', 2), new Date('2026-03-08T07:59:00.000Z'))?.toISOString(),
      'the hour is skipped',
    ).to.equal('2026-03-09T07:00:00.000Z')
    expect(noticeDueAgain(choice('soon'), at)).to.equal(null)
    expect(noticeDueAgain(choice('off'), at)).to.equal(null)
    expect(
      noticeDueAgain(choice('daily', 1), new Date('2026-11-01T06:00:00.000Z'))?.toISOString(),
      'the hour comes twice',
    ).to.equal('2026-11-02T07:00:00.000Z')
    expect(() => noticeDue(choice('daily', 24), at)).to.throw("No clock shows 24 o'clock")
  })

  it('is tried again after a minute, and after an hour at most', () => {
    const again = (failures: number, random = 0.5) => triedAgain(failures, random, new Date(0)).getTime()
    expect([again(1), again(2), again(99), again(1, 0), again(1, 1)]).to.deep.equal([
      60_000, 120_000, 3_600_000, 48_000, 72_000,
    ])
  })
})

describe('A refusal', () => {
  it('has its sentences for programs, and others for people', () => {
    const refusal = new Refusal('invalid', 'a: required', 'b: wrong')
    expect(refusal).to.include({ name: 'Refusal', kind: 'invalid', message: 'a: required; b: wrong', plain: null })
    expect(refusal.errors).to.deep.equal(['a: required', 'b: wrong'])
    expect(refusal.inPlainWords('Fill in the field.').plain).to.deep.equal(['Fill in the field.'])
  })

  it('says when to come again, in whole seconds', () => {
    const facts = ({ kind, waitSeconds, errors }: Later) => [kind, waitSeconds, ...errors]
    expect(facts(new TooMany(1001, 'x'))).to.deep.equal(['tooMany', 2, 'x'])
    expect(facts(new Busy(1000, 'x'))).to.deep.equal(['unavailable', 1, 'x'])
    expect(facts(strangersWait(2000))).to.deep.equal([
      ...['unavailable', 2, 'Too many requests with unknown keys or sessions are waiting. Try again in 2 seconds.'],
    ])
    expect(facts(new StoreAway(1500))).to.deep.equal([
      ...['unavailable', 2, 'The store does not answer. Nothing was changed; try again in 2 seconds.'],
    ])
    expect(facts(new StoreAway(500, 'The object storage'))[2]).to.match(
      /^The object storage does not answer\..*in 1 seconds/,
    )
    const unknown = new OutcomeUnknown(3000)
    expect(facts(unknown)).to.deep.equal([
      ...[
        'unavailable',
        3,
        'The answer of the store was lost, so it is not known whether this was done. Look before you send it again.',
      ],
    ])
    expect(facts(unknown.withAdvice('Read it.'))).to.deep.equal([
      ...['unavailable', 3, 'The answer of the store was lost, so it is not known whether this was done. Read it.'],
    ])
    expect(unknown).to.be.instanceOf(Later)
  })
})

describe('A worker', () => {
  it('is late without a round, or when the last one is longer ago than it may be', () => {
    const late = (sinceRoundMs: number | null) => isLate({ sinceRoundMs, sinceFaultMs: null, lateAfterMs: 1000 })
    expect([late(null), late(1001), late(1000), late(0)]).to.deep.equal([true, true, false, false])
  })
})

describe('The patient of a sandbox', () => {
  const known = (id: number, change: Partial<Patient> = {}) => ({ id, patient: { ...patient, ...change } })
  const sent = { ...patient, identifiers: [] }
  it('is matched without a person: by a known id, or as a new one', () => {
    expect(matchWithoutReview(sent, known(5), [])).to.deep.equal({ outcome: 'known', patientId: 5 })
    const other = known(5, { ...named('Other'), birthDate: '1900-01-01' })
    expect(matchWithoutReview(sent, other, [known(6)])).to.deep.equal({ outcome: 'known', patientId: 5 })
    expect(matchWithoutReview(sent, null, [known(6)])).to.deep.equal({ outcome: 'new' })
    expect(matchWithoutReview(sent, null, [])).to.deep.equal({ outcome: 'new' })
  })

  it('is left to a person, each candidate once', () => {
    expect(reviewAnyPatient(sent, known(5), [known(6), known(5), known(6)])).to.deep.include({
      outcome: 'review',
      candidateIds: [5, 6],
    })
    expect(reviewAnyPatient(sent, null, [])).to.deep.include({ outcome: 'review', candidateIds: [] })
  })
})
