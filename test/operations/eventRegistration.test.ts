import { eventRegistration } from '../../sandbox/eventRegistration';
import { eventRegistrationSamples } from '../support/samples/eventRegistration';
import { testOperations } from './operations';

testOperations(eventRegistrationSamples, {
	service: 'eventRegistration',
	create: eventRegistration,
	credential: 'eventRegistrationApi',
	refused: () => ({ apiKey: 'not the key' }),
	refusal: {
		message: /Authorization has been denied for this request\./,
		advice: /Check the key in the credential/,
	},
});
