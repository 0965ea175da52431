/** A reporter that prints how many tests needed a second try, and which. Each of these tests is a bug to fix. */
module.exports = class SecondTries {
	tests = [];

	onTestFileResult({ path }, { testResults }) {
		for (const { fullName, invocations } of testResults) {
			if (invocations > 1) this.tests.push(`${path}: ${fullName}`);
		}
	}

	onRunComplete() {
		for (const test of this.tests) console.log(`Second try: ${test}`);
		console.log(`Second tries: ${this.tests.length}`);
	}
};
