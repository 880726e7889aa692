import { expect } from 'chai'
import { dateIn, dayAt, isTimeZone, timeIn } from '../../lib/time-zone.ts'

/** The evening of the 15th in Chicago, the morning of the 16th in Sydney. */
const AT = '2026-01-16T01:49:05.000Z'

describe('a moment in a time zone', () => {
  it('has the day and the time of the place', () => {
    expect(timeIn('America/Chicago', AT)).to.equal('2026-01-15 19:49:05 UTC-06:00')
    expect(timeIn('Australia/Sydney', AT)).to.equal('2026-01-16 12:49:05 UTC+11:00')
    expect(timeIn('Asia/Kathmandu', AT)).to.equal('2026-01-16 07:34:05 UTC+05:45')
    expect(timeIn('UTC', AT)).to.equal('2026-01-16 01:49:05 UTC')
  })

  it('knows summer time, midnight and the last day of the year', () => {
    expect(timeIn('America/New_York', '2026-07-01T04:00:00Z')).to.equal('2026-07-01 00:00:00 UTC-04:00')
    expect(dateIn('America/Chicago', '2027-01-01T03:00:00Z')).to.equal('2026-12-31')
  })

  it('has a day that changes at midnight there', () => {
    const on = (zone: string | null, iso: string) => dayAt(zone, new Date(iso))
    expect(on('America/Los_Angeles', '2026-01-16T07:59:59Z')).to.equal('2026-01-15')
    expect(on('America/Los_Angeles', '2026-01-16T08:00:00Z')).to.equal('2026-01-16')
    expect(on('Pacific/Auckland', '2026-01-16T10:59:59Z')).to.equal('2026-01-16')
    expect(on('Pacific/Auckland', '2026-01-16T11:00:00Z')).to.equal('2026-01-17')
  })

  it('has the day of this machine where no zone is set, or one that is not known any more', () => {
    const own = new Intl.DateTimeFormat().resolvedOptions().timeZone
    for (const zone of [null, 'Mars/Olympus'])
      for (const iso of ['2026-01-16T00:30:00Z', '2026-01-16T12:00:00Z', '2026-01-16T23:30:00Z'])
        expect(dayAt(zone, new Date(iso))).to.equal(dateIn(own, iso))
  })

  it('is of a zone that this machine knows', () => {
    for (const name of ['UTC', 'Etc/UTC', 'America/Chicago', 'US/Central', 'Asia/Calcutta', 'Etc/GMT+5'])
      expect(isTimeZone(name), name).to.equal(true)
    for (const name of ['', 'Chicago', 'America/Chicago\n', 'Central Time', 'Z'])
      expect(isTimeZone(name), name).to.equal(false)
  })
})
