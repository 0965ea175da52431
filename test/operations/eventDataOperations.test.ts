import { testOperations } from './operationCases';

testOperations('eventData', {
	refused: { apiKey: 'not the key' },
	refusal: { message: /The API key is missing or not valid/, advice: /Check the key/ },
});
