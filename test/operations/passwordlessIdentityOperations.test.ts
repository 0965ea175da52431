import { keyCache } from '../../nodes/PasswordlessIdentity/keyCache';
import { demoKey } from '../../sandbox/demo';
import { testOperations } from './operationCases';

testOperations('passwordlessIdentity', {
	refused: { privateKey: demoKey('a stranger').privatePem },
	refusal: {
		message: /\(auth-error\)$/,
		advice: /check that the key in the credential is registered/,
	},
	forget: ({ sandbox }) => keyCache.drop(sandbox.addresses.passwordlessIdentity),
});
