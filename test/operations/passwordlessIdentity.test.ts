import { keyCache } from '../../nodes/PasswordlessIdentity/keyCache';
import { demoKey } from '../../sandbox/demo';
import { passwordlessIdentity } from '../../sandbox/passwordlessIdentity';
import { passwordlessIdentitySamples } from '../support/samples/passwordlessIdentity';
import { testOperations } from './operations';

testOperations(passwordlessIdentitySamples, {
	service: 'passwordlessIdentity',
	create: passwordlessIdentity,
	credential: 'passwordlessIdentityApi',
	refused: () => ({ privateKey: demoKey('a stranger').privatePem }),
	refusal: {
		message: /\(auth-error\)$/,
		advice: /check that the key in the credential is registered/,
	},
	forget: ({ sandbox }) => keyCache.drop(sandbox.addresses.passwordlessIdentity),
});
