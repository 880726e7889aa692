/** Which passwords are allowed: long ones that nobody would try. */
import { expect } from 'chai'
import { passwordProblem } from '../../../server/people/password-problem.ts'
import { workOfThread } from '../../support/load/work-of-thread.ts'

const OWNER = { name: 'Ruth Calder', email: 'ruth.calder@lakeside.example' }
const problem = (password: string) => passwordProblem(password, OWNER)

describe('a password', () => {
  for (const good of [
    'correct horse battery staple',
    'x7$Kp2mQv9Zt',
    'blaue Traktoren mähen Ölfelder',
    '青い電車が静かに走る朝の駅前',
    `${'x7$Kp2mQv9Zt'.repeat(5)}${'q'.repeat(100)}`,
  ])
    it(`may be one like ${good.slice(0, 30)}`, async () => expect(await problem(good)).to.equal(null))

  const easy: Record<string, readonly string[]> = {
    'repeats itself': ['aaaaaaaaaaaa', 'abcabcabcabc', 'passwordpassword', 'äöüäöüäöüäöü'],
    'counts up or down': ['abcdefghijklm', 'nmlkjihgfedcba'],
    'is made of what many people use': ['123456789012', 'password123456', 'Password1234!', '1q2w3e4r5t6y'],
    'is made of the name or the e-mail address': [
      'Ruth Calder 1',
      'ruthcalder2024',
      'calder@lakeside',
      'ruth.calder@lakeside.example',
      'ruth.calder@lakeside',
      'calder.ruth@lakeside!',
      'Lakeside-Ruth_Calder#1',
      '7lakeside.calder+ruth7',
      'lakesidelakeside1ruth',
    ],
  }
  for (const [reason, passwords] of Object.entries(easy))
    for (const password of passwords)
      it(`may not be ${password}: it ${reason}`, async () => {
        expect(await problem(password)).to.match(/^password: easy to guess, because it [a-z -]+; choose four words/)
        if (!password.startsWith('lakesidelakeside')) expect(await problem(password)).to.include(reason)
      })

  it('may hold the name or the e-mail address beside what is hard to guess by itself', async () => {
    for (const good of ['Ruth keeps four odd green umbrellas', 'x7$Kp2mQv9Zt@lakeside'])
      expect(await problem(good)).to.equal(null)
  })

  it('may not be ann.vale@willow where that is how the e-mail address begins', async () => {
    expect(await passwordProblem('ann.vale@willow', { name: 'Ann Vale', email: 'ann.vale@willow.example' })).to.include(
      'is made of the name or the e-mail address',
    )
  })

  it('is judged as it will be hashed, in any spelling of its letters', async () => {
    expect(await problem('𝐩𝐚𝐬𝐬𝐰𝐨𝐫𝐝𝟏𝟐𝟑𝟒')).to.include('what many people use')
    expect(await problem('ﬃﬃﬃﬃ')).to.equal('password: at least 12 characters')
  })

  it('is neither short, nor endless, nor empty space', async () => {
    expect(await problem('x7$Kp2mQv9Z')).to.equal('password: at least 12 characters')
    expect(await problem('x7$Kp2mQv9Zt'.repeat(17))).to.equal('password: at most 200 characters')
    for (const space of [' '.repeat(12), ' \t\u2003\u00a0'.repeat(4)])
      expect(await problem(space)).to.equal('password: not of spaces alone')
  })

  it('is judged within a second, however long it is', async () => {
    await problem('x7$Kp2mQv9Zt')
    const hard = Array.from({ length: 200 }, (_, i) => String.fromCharCode(33 + ((i * 37) % 90))).join('')
    for (const password of [hard, 'ab1!'.repeat(50), '4@8({[</369&#!1/|0$5+7%2/4'.repeat(7), 'a1'.repeat(100)]) {
      const work = workOfThread()
      await problem(password)
      expect(work(), password.slice(0, 10)).to.be.below(1_000)
    }
  })
})
