// Protects workflows with Passwordless Identity: every operation changes only the expected records, whatever fault it meets.
import { keyCache } from '../../nodes/PasswordlessIdentity/keyCache';
import { deriveDemoKey } from '../../sandbox/demoIdentities';
import { testOperations } from './operationCases';

testOperations('passwordlessIdentity', {
	rejectedCredential: { privateKey: deriveDemoKey('a stranger').privatePem },
	rejectionPattern: {
		message: /\(auth-error\)$/,
		advice: /check that the key in the credential is registered/,
	},
	clearState: ({ sandbox }) => keyCache.drop(sandbox.addresses.passwordlessIdentity),
});
