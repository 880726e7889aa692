/** Whether Node.js is new enough. Versions of any age can read this file, so that one that is too old says so. */
const { engines } = require('../package.json')

const [needed, given] = [engines.node.replace('>=', ''), process.versions.node]
const [major, minor] = given.split('.').map(Number)
const [leastMajor, leastMinor] = needed.split('.').map(Number)
const isTooOld = major < leastMajor || (major === leastMajor && minor < leastMinor)

/** What is wrong with the version; null when it will do. */
exports.problem = isTooOld ? `Countersign needs Node.js ${needed} or later, and this is ${given}.` : null
