import { eventData } from '../../sandbox/eventData';
import { eventDataSamples } from '../support/samples/eventData';
import { testOperations } from './operations';

testOperations(eventDataSamples, {
	service: 'eventData',
	create: eventData,
	credential: 'eventDataApi',
	refused: () => ({ apiKey: 'not the key' }),
	refusal: { message: /The API key is missing or not valid/, advice: /Check the key/ },
});
