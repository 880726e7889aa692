/** The sidebar tab in the older Node-RED that is supported, whose sidebar is another one. */
import { testSidebarTab } from '../../support/node-red/sidebar-tab.ts'

describe('the sidebar tab "Signatures" in Node-RED 4.1', function () {
  this.timeout(60_000)
  testSidebarTab({ name: 'sidebar-4', adminRoot: '/', runtime: 'node-red-4' })
})
