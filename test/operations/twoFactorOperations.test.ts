import { testOperations } from './operationCases';

testOperations('twoFactor', {
	refused: { apiKey: 'not the key' },
	refusal: {
		message: /^Two-factor service: Invalid API key \(60001\)$/,
		advice: /Check 'API Key' in the credential/,
	},
});
