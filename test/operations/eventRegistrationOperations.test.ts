// Protects workflows with Event Registration: every operation changes only the expected records, whatever fault it meets.
import { testOperations } from './operationCases';

testOperations('eventRegistration', {
	rejectedCredential: { apiKey: 'not the key' },
	rejectionPattern: {
		message: /Authorization has been denied for this request\./,
		advice: /Check the credential: 'API Key', 'Header Name', and 'Prefix'/,
	},
});
