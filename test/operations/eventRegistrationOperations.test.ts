import { testOperations } from './operationCases';

testOperations('eventRegistration', {
	rejectedCredential: { apiKey: 'not the key' },
	rejectionPattern: {
		message: /Authorization has been denied for this request\./,
		advice: /Check the credential: 'API Key', and 'Prefix'/,
	},
});
