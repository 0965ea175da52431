// Protects workflows with Two-Factor: every operation changes only the expected records, whatever fault it meets.
import { testOperations } from './operationCases';

testOperations('twoFactor', {
	rejectedCredential: { apiKey: 'not the key' },
	rejectionPattern: {
		message: /^Two-factor service: Invalid API key \(60001\)$/,
		advice: /Check 'API Key' in the credential/,
	},
});
