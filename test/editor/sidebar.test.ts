/** The sidebar tab in the Node-RED of today, below an admin root of its own. test/long has it in the older one. */
import { testSidebarTab } from '../support/node-red/sidebar-tab.ts'

describe('the sidebar tab "Signatures"', function () {
  this.timeout(60_000)
  testSidebarTab({ name: 'sidebar', adminRoot: '/admin' })
})
