it('fails for what goes wrong where nobody waits for it', async () => {
	void Promise.reject(new Error('nobody caught this'));
	await new Promise((resolve) => setTimeout(resolve, 50));
});
