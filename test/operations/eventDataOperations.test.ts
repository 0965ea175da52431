// Protects workflows with Event Data: every operation changes only the expected records, and no fault makes it do so twice.
import { testOperations } from './operationCases';

testOperations('eventData', {
	rejectedCredential: { apiKey: 'not the key' },
	rejectionPattern: { message: /The API key is missing or not valid/, advice: /Check the key/ },
});
