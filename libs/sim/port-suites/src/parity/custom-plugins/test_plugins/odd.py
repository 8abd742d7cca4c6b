class TestModule:
    def tests(self):
        return {'odd_number': lambda n: n % 2 == 1}
