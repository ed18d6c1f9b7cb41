/** What is not needed before the reader does something: loaded at the first touch, or when a wallet is there. */
export { handOver, lookForPayment } from './effects/signing.js'
export { switchChain, switchWords } from './effects/switchChain.js'
export { walletWords } from './effects/walletWords.js'
export { watch } from './effects/watch.js'
export { Outcome } from './view/Outcome.js'
export { Picker } from './view/Picker.js'
export { Review } from './view/Review.js'
export { Account, ActivitySheet, Settings, WalletChooser } from './view/Sheets.js'
