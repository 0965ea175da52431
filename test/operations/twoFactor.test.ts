import { twoFactor } from '../../sandbox/twoFactor';
import { twoFactorSamples } from '../support/samples/twoFactor';
import { testOperations } from './operations';

testOperations(twoFactorSamples, {
	service: 'twoFactor',
	create: twoFactor,
	credential: 'twoFactorApi',
	refused: () => ({ apiKey: 'not the key' }),
	refusal: {
		message: /^The two-factor service says: Invalid API key \(60001\)$/,
		advice: /Check the API key in the credential/,
	},
});
