import { testOperations } from './operations';

testOperations('eventData', {
	refused: { apiKey: 'not the key' },
	refusal: { message: /The API key is missing or not valid/, advice: /Check the key/ },
});
