/** What stands beside the card once there is a quote: loaded while the first one is under way. */
export { CurvePanel } from './view/CurvePanel.js'
export { BoundPanel, DetailsPanel } from './view/ProofPanel.js'
export { RoutePanel } from './view/RoutePanel.js'
