/** Whether the links in the head of a page can be seen and pressed at once. */
import { expect } from 'chai'
import type { Page } from 'playwright-core'

interface Link {
  name: string
  top: number
  isWhole: boolean
}

/** Fails unless there are this many links, on one line, none cut, below another or out of sight. */
export async function wholeLinks(page: Page, count: number): Promise<void> {
  const links = await page.evaluate<Link[]>(`
    [...document.querySelectorAll('.top nav a')].map((link) => {
      const { top, left, right } = link.getBoundingClientRect()
      const before = link.previousElementSibling?.getBoundingClientRect().right ?? 0
      const text = document.createRange()
      text.selectNodeContents(link)
      const end = Math.max(right, text.getBoundingClientRect().right)
      return { name: link.textContent, top, isWhole: left >= before && end <= innerWidth }
    })`)
  expect(links).to.have.length(count)
  expect(links.filter(({ isWhole }) => !isWhole)).to.deep.equal([])
  expect(new Set(links.map(({ top }) => top)).size, 'lines').to.equal(1)
  const scrolls = `getComputedStyle(document.querySelector('.top nav')).overflowX`
  expect(await page.evaluate<string>(scrolls), 'nothing is out of sight').to.equal('visible')
}
