import { testOperations } from './operations';

testOperations('twoFactor', {
	refused: { apiKey: 'not the key' },
	refusal: {
		message: /^The two-factor service says: Invalid API key \(60001\)$/,
		advice: /Check the API key in the credential/,
	},
});
