/** What is typed into the search field of the console, and under which terms a patient is found by it. */
import { expect } from 'chai'
import { hasWords, isNamed, readSearch, termsOf } from '../../../server/domain/task/search-words.ts'

const patientIn = (typed: string) => readSearch(typed).patient

describe('A search of the console', () => {
  it('is an id, a task, an NPI, or a patient, as far as it can be one', () => {
    expect(readSearch('  1016 ')).to.deep.equal({ text: '1016', taskId: 1016, npi: null, patient: null })
    expect(readSearch('9999900019')).to.deep.include({ taskId: 9_999_900_019, npi: '9999900019', patient: null })
    expect(readSearch('1952060799'), 'no birth date with more digits').to.deep.include({
      npi: '1952060799',
      patient: null,
    })
    expect(readSearch('123456789012345')).to.deep.include({ taskId: 123_456_789_012_345, npi: null })
    expect(readSearch('1234567890123456')).to.deep.include({ taskId: null, npi: null })
    for (const text of ['x1016', '1016x', 'WC-77', '9999900019x', 'x9999900019', '-', 'O2 Brien', 'Rowan 7'])
      expect(readSearch(text), text).to.deep.equal({ text, taskId: null, npi: null, patient: null })
    expect(readSearch('')).to.deep.equal({ text: '', taskId: null, npi: null, patient: null })
  })

  const dates = {
    '1952-06-07': '1952-06-07',
    '1952-6-7': '1952-06-07',
    '19520607': '1952-06-07',
    '6/7/1952': '1952-06-07',
    '06-07-1952': '1952-06-07',
    '7.6.1952': '1952-06-07',
    '13/6/1952': '1952-06-13',
    '6.13.1952': '1952-06-13',
    '29.2.2024': '2024-02-29',
    '12/31/1999': '1999-12-31',
  }
  for (const [typed, birthDate] of Object.entries(dates))
    it(`finds the birth date ${typed}, with a name or without`, () => {
      expect(patientIn(typed)).to.deep.equal({ families: [], birthDate, words: [] })
      for (const text of [`Rowan ${typed}`, `${typed} Rowan`, `Rowan, ${typed}`])
        expect(patientIn(text), text).to.deep.equal({ families: ['rowan'], birthDate, words: ['rowan'] })
    })

  it('has no birth date that is not in the calendar, or is part of a longer word', () => {
    for (const text of [
      '29.2.2023',
      '1952-13-01',
      '1952060',
      '//1952',
      '6//1952',
      '1952-00-10',
      '31/31/1952',
      '1952-06-071',
      '119520607',
      '6/7/52',
    ])
      expect(patientIn(text), text).to.equal(null)
    for (const text of ['x6/7/1952', '6/7/1952x', 'x1952-06-07', '1952-06-07x', 'x19520607', '6/7', '1952-06'])
      expect(patientIn(`Rowan ${text}`), text).to.equal(null)
    expect(patientIn('1952-06-07 1952-06-08')?.birthDate).to.equal('1952-06-07')
    expect(patientIn('7 1952-06-07'), 'a number next to it').to.equal(null)
    expect(readSearch('19520607').taskId).to.equal(19_520_607)
  })

  const names: Record<string, [families: string[], words: string[]]> = {
    Rowan: [['rowan'], ['rowan']],
    'Tess Rowan': [
      ['tess rowan', 'tess', 'rowan'],
      ['tess', 'rowan'],
    ],
    'García Márquez, Ana': [
      ['garcia marquez ana', 'garcia marquez', 'garcia', 'ana'],
      ['garcia', 'marquez', 'ana'],
    ],
    'O’Brien': [['obrien'], ['obrien']],
    'Ана  Иванова': [
      ['ана иванова', 'ана', 'иванова'],
      ['ана', 'иванова'],
    ],
    'Smith, ': [['smith'], ['smith']],
    'Smith-Jones': [['smith-jones'], ['smith-jones']],
  }
  for (const [typed, [families, words]] of Object.entries(names))
    it(`may mean the families ${families.join(', ')} by "${typed}"`, () =>
      expect(patientIn(typed)).to.deep.equal({ families, birthDate: null, words }))
})

describe('A patient is found', () => {
  const patient = {
    names: [
      { family: 'García Márquez-Ruiz', given: ['José María', 'A'] },
      { family: 'Rowan', given: [] },
    ],
    birthDate: '1952-06-07',
  }

  it('by whole families, by their parts, and by the birth date, each once', () => {
    expect(termsOf(patient)).to.deep.equal([
      ['family', 'garcia marquez-ruiz'],
      ['family', 'garcia'],
      ['family', 'marquez'],
      ['family', 'ruiz'],
      ['family', 'rowan'],
      ['birthDate', '1952-06-07'],
    ])
    const named = (...families: string[]) =>
      termsOf({ names: families.map((family) => ({ family, given: ['Tess'] })), birthDate: '1952-06-07' })
    expect(named('Li', 'LI', "'", 'O Li')).to.deep.equal([
      ['family', 'li'],
      ['family', 'o li'],
      ['birthDate', '1952-06-07'],
    ])
  })

  it('by words that are each the beginning of one of the parts of one name', () => {
    for (const words of [['gar'], ['marq', 'jose'], ['maria', 'ruiz'], ['jose maria'], ['a'], ['rowan'], ['garcia m']])
      expect(hasWords(patient, words), words.join()).to.equal(true)
    for (const words of [['arcia'], ['garcia', 'rowan'], ['tess'], ['ruiz', 'x'], ['garciaa']])
      expect(hasWords(patient, words), words.join()).to.equal(false)
  })

  it('by the beginnings of names, with commas or without, and never by nothing', () => {
    const names = ['Helen Marsh', 'St. Mary-Lake Clinic']
    for (const search of ['marsh, hel', 'MARSH', 'lake', 'st. mary', 'Hélen  clin'])
      expect(isNamed(names, search), search).to.equal(true)
    for (const search of ['', ' , ', 'arsh', 'marsh voss', 'marshall'])
      expect(isNamed(names, search), search).to.equal(false)
  })
})
