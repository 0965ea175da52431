import { testOperations } from './operationCases';

testOperations('eventRegistration', {
	refused: { apiKey: 'not the key' },
	refusal: {
		message: /Authorization has been denied for this request\./,
		advice: /Check the credential: 'API Key', and 'Prefix'/,
	},
});
