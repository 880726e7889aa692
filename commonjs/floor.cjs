/** Whether Node.js is new enough. Versions of any age can read this file, so that one that is too old says so. */
const { engines } = require('../package.json')

const given = process.versions.node
const [major, minor] = numbersOf(given)
/** The lowest version of the first release line that is as new as the given one. */
const needed = engines.node.match(/\d+\.\d+\.\d+/g).find((version) => numbersOf(version)[0] >= major)
const [leastMajor, leastMinor] = numbersOf(needed || given)
const isTooOld = major < leastMajor || (major === leastMajor && minor < leastMinor)

/** What is wrong with the version; null when it will do. */
exports.problem = isTooOld ? `Countersign needs Node.js ${needed} or later, and this is ${given}.` : null

function numbersOf(version) {
  return version.split('.').map(Number)
}
