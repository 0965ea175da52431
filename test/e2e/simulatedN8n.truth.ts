import { histories } from '../simulation/truth/histories';
import { compareWithRealN8n } from '../simulation/truth/realStage';

describe('the simulated n8n agrees with the real one', () => {
	compareWithRealN8n(histories);
});
