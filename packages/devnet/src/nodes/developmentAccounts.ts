import { bytesToHex } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'

/** The same mnemonic, and so the same accounts, as other development nodes. */
const words = 'test test test test test test test test test test test junk'

/** Accounts that development nodes sign for. Their keys are public. */
export const developmentAccounts = Array.from({ length: 10 }, (_, addressIndex) => {
  const { address, getHdKey } = mnemonicToAccount(words, { addressIndex })
  return { address, privateKey: bytesToHex(getHdKey().privateKey!) }
})
