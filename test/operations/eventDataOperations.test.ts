import { testOperations } from './operationCases';

testOperations('eventData', {
	rejectedCredential: { apiKey: 'not the key' },
	rejectionPattern: { message: /The API key is missing or not valid/, advice: /Check the key/ },
});
