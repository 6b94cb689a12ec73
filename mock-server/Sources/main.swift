print("mock-server: not part of this release")
